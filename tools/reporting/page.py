def html_page(runs): return b""
