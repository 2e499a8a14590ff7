/** Version of the product, as in package.json: of the API, the MCP server and the command line. */
export const VERSION = '0.1.0';
