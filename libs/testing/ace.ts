import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { launchBrowser } from './browser.js';

/** What Ace runs on the pages of a book; its own runner would bring a second browser along. */
interface AxeRunner {
  concurrency: number;
  launch(): Promise<void>;
  close(): Promise<void>;
  run(url: string, scripts: string[], contents: string[]): Promise<unknown>;
}
interface Winston {
  configure(options: { silent: boolean }): void;
}
type Ace = (path: string, options: object, runner: AxeRunner) => Promise<[string, unknown]>;

const reportSchema = z.object({
  'earl:result': z.object({ 'earl:outcome': z.string() }),
  assertions: z.array(
    z.object({
      'earl:testSubject': z.object({ url: z.string() }),
      assertions: z.array(z.object({ 'earl:test': z.object({ 'dct:title': z.string() }) })),
    }),
  ),
});

function playwrightRunner(): AxeRunner {
  let browser: Browser | undefined;
  return {
    concurrency: 2,
    launch: async () => {
      browser = await launchBrowser();
    },
    close: async () => browser?.close(),
    run: async (url, scripts, contents) => {
      const page = await browser!.newPage();
      try {
        await page.goto(url);
        for (const content of contents) await page.addScriptTag({ content });
        for (const path of scripts) await page.addScriptTag({ path });
        return await page.evaluate(
          `new Promise((resolve, reject) => daisy.ace.run((error, found) => error ? reject(error) : resolve(found)))`,
        );
      } finally {
        await page.close();
      }
    },
  };
}

/**
 * Checks the accessibility of a book with Ace by DAISY.
 *
 * @returns the outcome, such as `pass`, and each fault with the file that has it
 */
export async function aceReport(book: Uint8Array): Promise<{ outcome: string; faults: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-ace-'));
  try {
    await writeFile(join(folder, 'book.epub'), book);
    const require = createRequire(import.meta.url);
    const ace = require('@daisy/ace-core') as Ace;
    // Ace logs each step, and says so if nothing receives it.
    const logger = createRequire(require.resolve('@daisy/ace-core'))('winston') as Winston;
    logger.configure({ silent: true });
    const options = { cwd: folder, outdir: 'report', tmpdir: 'work', silent: true, lang: 'en' };
    const [, json] = await ace('book.epub', options, playwrightRunner());
    const { assertions, 'earl:result': result } = reportSchema.parse(JSON.parse(JSON.stringify(json)));
    return {
      outcome: result['earl:outcome'],
      faults: assertions.flatMap(({ assertions: found, 'earl:testSubject': { url } }) =>
        found.map(({ 'earl:test': test }) => `${url}: ${test['dct:title']}`),
      ),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
