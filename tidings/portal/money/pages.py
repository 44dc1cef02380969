"""The pages of this folder."""

from tidings.portal.money import invoice, invoices, usage

PAGES = [*invoices.PAGES, *invoice.PAGES, *usage.PAGES]
