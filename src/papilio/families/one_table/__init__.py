"""One table for one recipient: generalised until nobody stands out."""
