"""Back-tests of imputation: known facts hidden and imputed, two figures for one quantity, their errors."""
