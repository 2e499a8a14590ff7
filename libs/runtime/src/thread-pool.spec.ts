import { ThreadPool } from './thread-pool.js';

describe('ThreadPool', () => {
  it('outlives a thread whose memory runs out while it is being ended: nobody waits for it any more', async () => {
    const worker = new URL('../../../dist/apps/validator/src/validate.worker.js', import.meta.url);
    const pool = new ThreadPool(worker, 1);
    try {
      expect(pool['pool'].emit('error', new Error('Worker terminated due to reaching memory limit'))).toBe(
        true,
      );
    } finally {
      await pool.close();
    }
  });
});
