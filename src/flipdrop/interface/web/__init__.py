"""The web page: sessions that know no page, a JSON API of them, and pages that show them."""
