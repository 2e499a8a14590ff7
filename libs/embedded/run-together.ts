import { pathToFileURL } from 'node:url';

/**
 * Runs several apps in one process: `node run-together.js gateway/src/main.js scanner/src/main.js …`. They share
 * loaded code and the connections of `openInfrastructure`; each has its own threads.
 */
for (const app of process.argv.slice(2)) await import(pathToFileURL(app).href);
