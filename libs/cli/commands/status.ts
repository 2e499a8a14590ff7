import { translate } from '../language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import type { ApiClient } from '../client/api-client.js';
import { printRead } from './print-result.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';
import { CliError } from '../cli-error.js';

/** `scriptorium status`: shows the health of the service or the state of a run. */
export function registerStatus(command: Command): void {
  command
    .argument('[run]', 'ID of the run, run_…')
    .addOption(dataDirOption())
    .action(async (run: string | undefined, { dataDir }: { dataDir: string }) => {
      if (run !== undefined) {
        const params = { path: { run_id: run } };
        const state = (client: ApiClient) => unwrap(client.GET('/api/agents/runs/{run_id}', { params }));
        return printRead({ json: false, dataDir }, state, (shown) => `${JSON.stringify(shown, null, 2)}\n`);
      }
      // The health of a stack that this command started would say nothing.
      const { client } = await connect(dataDir);
      const { status, checks } = await unwrap(client.GET('/api/health'));
      const items = await everyItem((query) => unwrap(client.GET('/api/decisions', { params: { query } })));
      const parts = Object.entries(checks).map(([name, isWell]) => `${name} ${isWell ? 'ok' : 'DOWN'}`);
      process.stdout.write(
        `${translate(
          phrase('out.health', { url: client.url, status, parts: parts.join(', '), count: items.length }),
        )}\n`,
      );
      if (status !== 'ok') throw new CliError(phrase('cli_error.part_unreachable'));
    });
}
