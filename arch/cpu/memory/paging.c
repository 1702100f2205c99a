/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/cpu/memory/paging.h"
#include "arch/cpu/identity/features.h"
#include "arch/cpu/identity/firmware_state.h"
#include "arch/cpu/ground/insn.h"
#include "arch/cpu/ground/msr.h"

#define CR0_WP   (1ull << 16)
#define CR4_PAE  (1ull << 5)
#define CR4_MCE  (1ull << 6)
#define CR4_PGE  (1ull << 7)
#define CR4_SMEP (1ull << 20)

/* The power-up value, twice WB, WT, UC-, UC, except entry 4, which is write-combining. Mapped
 * memory uses entries 0, 3 and 4; before, it used 0 to 3. */
#define PAT_VALUE      0x0007040100070406ull
#define PAT_BEFORE_OUR 0x00000000ffffffffull

/* The last GiB of the address space; the kernel's image lies in the one before it. */
#define WINDOW_START  0xffffffffc0000000ull
#define WINDOW_END    0xffffffffeffff000ull
#define GLIMPSE       WINDOW_END /* one page behind it */
#define WINDOW_RANGES 256u

extern const char __user_load[]; /* linker.ld: physical address of ring 3's pages */
extern const char USER_VIRTUAL[];

struct window_range {
    uint64_t physical, virtual, length; /* whole pages */
    enum page_cache cache;
};

static bool has_write_combining;
static const char *why_no_nx = "the page tables are not set up";

static struct window_range window[WINDOW_RANGES];
static unsigned window_ranges;
static uint64_t window_next = WINDOW_START;

static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static uint64_t rights_bits(bool writable, bool user, bool executable)
{
    uint64_t bits = writable ? PTE_WRITABLE : 0;
    if (user)
        bits |= PTE_USER;
    if (executable)
        bits |= PTE_CODE;
    else if (why_no_nx == NULL)
        bits |= PTE_NO_EXECUTE;
    return bits;
}

static uint64_t image_physical(const struct map_region *region, uint64_t address)
{
    return region->user ? address - address_of(USER_VIRTUAL) + address_of(__user_load)
                        : kernel_physical((const void *)(uintptr_t)address);
}

/* The pool is large enough for the image; running out of it here is a bug. */
static void map_region(const struct map_region *region)
{
    uint64_t rights = rights_bits(region->writable, region->user, region->executable);
    if (!region->user)
        rights |= PTE_GLOBAL;
    for (uint64_t at = address_of(region->start); at < address_of(region->end); at += PAGE_SIZE) {
        uint64_t *entry = page_tables_entry(at, true, region->user);
        if (entry == NULL)
            __builtin_trap();
        if (!kernel_map_is_guard(at))
            *entry = image_physical(region, at) | rights | PTE_PRESENT | PTE_ACCESSED | PTE_DIRTY;
    }
}

/* Writes CR4 whole, so that foreign protection keys, shadow stacks and event delivery are off; bits
 * above 31 too, which earlier 32-bit code cannot write. */
static void protections_on(void)
{
    uint64_t cr4 = CR4_PAE | (insn_read_cr4() & CR4_MCE); /* that is interrupts_init()'s */
    insn_write_cr0(insn_read_cr0() | CR0_WP);
    if (feature_present(FEATURE_SMEP))
        cr4 |= CR4_SMEP;
    if (feature_present(FEATURE_PGE))
        cr4 |= CR4_PGE;
    insn_write_cr4(cr4);
}

/* Entries of pages in use change their meaning, so the caches must be flushed. The new tables,
 * loaded next, flush the translations. */
static bool write_combining_on(void)
{
    uint64_t pat = 0;
    if (!feature_present(FEATURE_PAT) || exception_happened(rdmsr_safe(IA32_PAT, &pat)))
        return false;
    bool differs = (pat ^ PAT_VALUE) & PAT_BEFORE_OUR;
    if (differs) {
        firmware_state_note("IA32_PAT", pat);
        insn_wbinvd();
    }
    bool is_set = !exception_happened(wrmsr_safe(IA32_PAT, PAT_VALUE));
    if (differs)
        insn_wbinvd();
    return is_set;
}

/* Bit 63 of an entry is reserved unless IA32_EFER.NXE is set, which requires NX in CPUID. Firmware
 * that switches NX off removes it from CPUID (F1.18, F1.20). */
static const char *try_nx(void)
{
    uint64_t efer = 0;
    if (!feature_present(FEATURE_NX))
        return cpu_features()->misc_enable & MISC_ENABLE_XD_DISABLE
                   ? "CPUID.80000001H:EDX[20].NX = 0, as IA32_MISC_ENABLE[34] (XD disable) is set"
                   : "CPUID.80000001H:EDX[20].NX = 0";
    if (exception_happened(rdmsr_safe(IA32_EFER, &efer)) ||
        exception_happened(wrmsr_safe(IA32_EFER, efer | EFER_NXE)))
        return "CPUID.80000001H:EDX[20].NX = 1, but IA32_EFER.NXE cannot be set";
    return NULL;
}

const char *paging_without_nx(void)
{
    return why_no_nx;
}

void paging_init(void)
{
    why_no_nx = try_nx();
    has_write_combining = write_combining_on();
    for (size_t i = 0; i < kernel_map_count; i++)
        map_region(&kernel_map[i]);
    paging_load();
}

void paging_load(void)
{
    if (has_write_combining)
        write_combining_on();
    if (why_no_nx == NULL)
        wrmsr(IA32_EFER, rdmsr(IA32_EFER) | EFER_NXE);
    insn_write_cr3(kernel_physical(page_tables_root()));
    protections_on();
}

static void *find_mapped(uint64_t physical, uint64_t length, enum page_cache cache)
{
    for (unsigned i = 0; i < window_ranges; i++) {
        const struct window_range *range = &window[i];
        if (range->cache == cache && physical >= range->physical &&
            physical - range->physical <= range->length &&
            length <= range->length - (physical - range->physical))
            return (void *)(uintptr_t)(range->virtual + (physical - range->physical));
    }
    return NULL;
}

/* Selects the entry of the PAT. */
static uint64_t cache_bits(enum page_cache cache)
{
    if (cache == PAGE_WRITE_BACK)
        return 0;
    if (cache == PAGE_WRITE_COMBINING && has_write_combining)
        return PTE_PAT;
    return PTE_CACHE_DISABLE | PTE_WRITE_THROUGH;
}

static bool map_pages(const struct window_range *range)
{
    uint64_t bits = rights_bits(true, false, false) | cache_bits(range->cache) | PTE_GLOBAL |
                    PTE_PRESENT | PTE_ACCESSED | PTE_DIRTY;
    for (uint64_t at = 0; at < range->length; at += PAGE_SIZE) {
        uint64_t *entry = page_tables_entry(range->virtual + at, true, false);
        if (entry == NULL)
            return false;
        *entry = (range->physical + at) | bits;
    }
    return true;
}

static bool has_physical(uint64_t physical, size_t length)
{
    uint64_t end = 1ull << cpu_features()->identity.physical_address_bits;
    return length > 0 && physical < end && length <= end - physical;
}

void *paging_map_physical(uint64_t physical, size_t length, enum page_cache cache)
{
    if (!has_physical(physical, length))
        return NULL;
    void *mapped = find_mapped(physical, length, cache);
    if (mapped != NULL)
        return mapped;
    uint64_t offset = physical % PAGE_SIZE;
    uint64_t pages = (offset + length + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
    struct window_range range = {
        .physical = physical - offset, .virtual = window_next, .length = pages, .cache = cache};
    if (window_ranges == WINDOW_RANGES || pages > WINDOW_END - window_next || !map_pages(&range))
        return NULL;
    window_next += pages;
    window[window_ranges++] = range;
    return (void *)(uintptr_t)(range.virtual + offset);
}

void *paging_glimpse(uint64_t physical)
{
    struct window_range range = {
        .physical = physical & PTE_ADDRESS, .virtual = GLIMPSE, .length = PAGE_SIZE};

    if (!has_physical(physical, PAGE_SIZE) || !map_pages(&range))
        return NULL;
    insn_invlpg((const void *)(uintptr_t)GLIMPSE);
    return (void *)(uintptr_t)GLIMPSE;
}

struct page_rights paging_rights(const void *address)
{
    uint64_t *entry = page_tables_entry(address_of(address), false, false);
    if (entry == NULL || !(*entry & PTE_PRESENT))
        return (struct page_rights){0};
    return (struct page_rights){.present = true,
                                .writable = *entry & PTE_WRITABLE,
                                .user = *entry & PTE_USER,
                                .executable = *entry & PTE_CODE,
                                .accessed = *entry & PTE_ACCESSED,
                                .dirty = *entry & PTE_DIRTY};
}

void paging_set_rights(void *page, bool writable, bool user, bool executable)
{
    uint64_t *entry = page_tables_entry(address_of(page), user, user);
    if ((writable && executable) || entry == NULL || !(*entry & PTE_PRESENT))
        __builtin_trap();
    *entry = (*entry & ~(PTE_WRITABLE | PTE_USER | PTE_CODE | PTE_NO_EXECUTE)) |
             rights_bits(writable, user, executable);
    insn_invlpg(page);
}

void paging_set_dirty(const void *page, bool dirty)
{
    uint64_t *entry = page_tables_entry(address_of(page), false, false);
    if (entry == NULL || !(*entry & PTE_PRESENT))
        __builtin_trap();
    *entry = (*entry & ~PTE_DIRTY) | (dirty ? PTE_DIRTY : 0);
    insn_invlpg(page);
}

bool page_alias_map(uint64_t address, const void *page)
{
    const uint64_t *original = page_tables_entry(address_of(page), false, false);
    uint64_t *alias;

    if (original == NULL)
        return false;
    alias = page_tables_entry(address, true, *original & PTE_USER);
    if (alias == NULL || *alias & PTE_PRESENT)
        return false;
    *alias = *original;
    insn_invlpg((const void *)(uintptr_t)address);
    return true;
}

void page_alias_unmap(uint64_t address)
{
    uint64_t *alias = page_tables_entry(address, false, false);

    if (alias != NULL)
        *alias = 0;
    insn_invlpg((const void *)(uintptr_t)address);
}
