"""The pages of this folder."""

from tidings.portal.money import invoice, invoices

PAGES = [*invoices.PAGES, *invoice.PAGES]
