// The source of the targets that own precompiled headers.
