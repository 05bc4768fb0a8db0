"""Text out of documents: Markdown, HTML, notebooks, office files, PDF."""
