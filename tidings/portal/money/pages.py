"""The pages of this folder."""

from tidings.portal.money import invoice, invoices, partner_acts, usage

PAGES = [*invoices.PAGES, *invoice.PAGES, *usage.PAGES, *partner_acts.PAGES]
