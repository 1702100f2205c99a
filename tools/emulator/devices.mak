# SPDX-License-Identifier: GPL-2.0-or-later
# The devices of a machine that boots an ISO or a USB stick and says how it went, and no more.
CONFIG_I440FX=y
CONFIG_Q35=y
CONFIG_ISA_DEBUG=y
CONFIG_HPET=y
CONFIG_VGA_PCI=y
CONFIG_USB_XHCI_PCI=y
CONFIG_USB_EHCI_PCI=y
CONFIG_USB_STORAGE_CLASSIC=y
CONFIG_PARALLEL=y
CONFIG_SERIAL_PCI=y
# What other people's kernels are used to (tools/lab/qemu).
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_NET=y
CONFIG_VIRTIO_RNG=y
