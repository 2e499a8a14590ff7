import { Option } from 'commander';

const DEFAULT_DATA_DIR = '.scriptorium';

/** The folder that holds what a stack on this machine keeps. */
export const dataDirOption = () =>
  new Option('--data-dir <folder>', 'folder of the embedded stack: database, files, keys, logs')
    .env('SCRIPTORIUM_DATA_DIR')
    .default(DEFAULT_DATA_DIR);

/** Where a command keeps its data and writes its result. */
export interface Place {
  /** The file of the result. */
  output: string;
  dataDir: string;
}

/** What stands for the place in advice of a command that has no other. */
export const DEFAULT_PLACE: Place = { output: 'FILE', dataDir: DEFAULT_DATA_DIR };

/** The command that goes on with a run in the same data directory. */
export const followCommand = (runId: string, { output, dataDir }: Place): string =>
  `scriptorium follow ${runId} -o ${quoted(output)}${dataDirArgument(dataDir)}`;

/** The command that makes the file of a book again, in the same data directory. */
export const exportCommand = (bookId: string, { output, dataDir }: Place): string =>
  `scriptorium book export ${bookId} -o ${quoted(output)}${dataDirArgument(dataDir)}`;

/** The option for the data directory, with a blank before it; empty for the default. */
export const dataDirArgument = (dataDir: string): string =>
  dataDir === DEFAULT_DATA_DIR ? '' : ` --data-dir ${quoted(dataDir)}`;

/** As a shell takes it for one word. */
const quoted = (text: string) => (/^[\w./~:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
