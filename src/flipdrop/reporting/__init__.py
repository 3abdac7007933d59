"""Reports: number formats, tables, figures, and HTML and Markdown from the templates in ``templates/``.

formatting         numbers, intervals, lists and names as text
tables             tables as Markdown and aligned text
plots              colours and elements of plots
figures            figures as PNG and SVG files, or as parts of a page
templating         renders the templates
tournament_report  the report of a tournament: text, and a folder of files
tournament_plots   ratings, cross table and score over time
sweep_plots        curves and heat maps of a sweep
"""
