"""Reports: number formats, tables, figures, and HTML and Markdown from the templates in ``templates/``.

formatting        numbers, intervals, lists and names as text
tables            tables as Markdown, aligned text and CSV
plots             colours and elements of figures
figures           figures as PNG and SVG files, or as parts of a page
templating        renders the templates
tournament        the report of a tournament: text, and a folder of files
tournament_plots  ratings, cross table and score over time
sweep_plots       curves and heat maps of a sweep
"""
