/** Resolves `#x` by the paths of tsconfig.json, to the sources; `imports` of package.json would lead to dist/. */
module.exports = { resolve: { importsFields: [] } };
