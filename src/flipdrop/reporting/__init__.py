"""Reports: number formats, tables, plots, and HTML and Markdown by templates.

formatting        numbers and names as text
tables            rows of cells as aligned text, Markdown and CSV
plots             colours, axes and files that all plots share
templates         HTML and Markdown by Jinja2, from the folder `templates`
tournament        the report of a tournament: text, and a folder of files
tournament_plots  ratings, cross table and score over time
sweep_plots       curves and heat maps of a sweep
"""
