"""How answers look: in words, as text in terminals and as HTML in notebooks. Nothing here computes."""
