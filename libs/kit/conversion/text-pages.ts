import { GATEWAY_THREADS } from '#config/memory.js';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadPool } from '../runtime/thread-pool.js';

const WORKER = new URL('./text-page.worker.js', import.meta.url);
/** Time limit of rendering, in milliseconds. */
const LIMIT_MS = 20_000;

/** Renders Markdown as HTML, in a thread. */
@Injectable()
export class TextPages implements OnApplicationShutdown {
  private readonly pool = new ThreadPool(GATEWAY_THREADS.shares);

  /** Returns the text as the Word file structures it, without pictures. @throws Error above the limits of time and memory */
  render(markdown: string): Promise<string> {
    return this.pool.run(WORKER, markdown, LIMIT_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
