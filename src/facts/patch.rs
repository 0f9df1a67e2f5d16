//! Every file that a patch names.
