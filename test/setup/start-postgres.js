/** Starts an embedded PostgreSQL in argv[2], sends its URL to the parent and stops when told to; to be killed by tests. */
import { startPostgres } from '../../dist/libs/embedded/postgres.js';

const server = await startPostgres({ dataDir: process.argv[2] });
process.on('message', async () => {
  await server.stop();
  process.exit(0);
});
process.send({ url: server.url });
