import { Option } from 'commander';

const DEFAULT_DATA_DIR = '.scriptorium';

/** The folder that holds what a stack on this machine keeps. */
export const dataDirOption = () =>
  new Option('--data-dir <folder>', 'folder of the embedded stack: database, files, keys, logs')
    .env('SCRIPTORIUM_DATA_DIR')
    .default(DEFAULT_DATA_DIR);

/** The command that goes on with a run in the same data directory. */
export function followCommand(runId: string, output: string, dataDir: string): string {
  const where = dataDir === DEFAULT_DATA_DIR ? '' : ` --data-dir ${quoted(dataDir)}`;
  return `scriptorium follow ${runId} -o ${quoted(output)}${where}`;
}

/** As a shell takes it for one word. */
const quoted = (text: string) => (/^[\w./~:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
