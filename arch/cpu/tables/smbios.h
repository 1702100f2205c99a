/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What firmware and which board this is, as SMBIOS names them. */
#ifndef ARCH_CPU_TABLES_SMBIOS_H
#define ARCH_CPU_TABLES_SMBIOS_H

#include "arch/cpu/tables/smbios_tables.h"

/* Reads them the first time. Needs paging_init(). Names that SMBIOS does not tell are "". */
const struct smbios_names *smbios_names(void);

#endif
