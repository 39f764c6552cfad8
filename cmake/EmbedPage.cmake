# Writes OUTPUT, a C++ source with the style sheet and the script of report pages, from FOLDER.
file(READ ${FOLDER}/page.css styles)
file(READ ${FOLDER}/page.js script)
file(WRITE ${OUTPUT} "#include \"PageData.h\"

namespace gensyn::machine::page {

const char *const styleSheet = R\"page(${styles})page\";
const char *const script = R\"page(${script})page\";

} // namespace gensyn::machine::page
")
