/**
 * Starts the embedded PostgreSQL of argv[2], sends its URL to the parent and stops on its message; tests can kill it.
 */
import { startPostgres } from '../../dist/libs/embedded/postgres.js';

const server = await startPostgres({ dataDir: process.argv[2] });
process.on('message', async () => {
  await server.stop();
  process.exit(0);
});
process.send({ url: server.url });
