import { pathToFileURL } from 'node:url';

/**
 * Runs several apps in one process: `node run-together.js scanner/src/main.js validator/src/main.js …`. They
 * share loaded code; each has its own connections and threads and works as in a process of its own.
 */
for (const app of process.argv.slice(2)) await import(pathToFileURL(app).href);
