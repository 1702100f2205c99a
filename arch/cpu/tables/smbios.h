/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of firmware and board, from SMBIOS. */
#ifndef ARCH_CPU_TABLES_SMBIOS_H
#define ARCH_CPU_TABLES_SMBIOS_H

#include "arch/cpu/tables/smbios_tables.h"

/* The first call reads the tables. Needs paging_init(). A name that SMBIOS lacks is "". */
const struct smbios_names *smbios_names(void);

#endif
