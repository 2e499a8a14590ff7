import { Option } from 'commander';

const DEFAULT_DATA_DIR = '.scriptorium';

/** Returns the option for the folder with the data of a stack on this machine. */
export const dataDirOption = () =>
  new Option('--data-dir <folder>', 'data folder of the embedded stack: database, files, keys, logs')
    .env('SCRIPTORIUM_DATA_DIR')
    .default(DEFAULT_DATA_DIR);

/** Output file and data directory of a command. */
export interface Place {
  /** File for the result. */
  output: string;
  dataDir: string;
}

/** Placeholder for suggested commands if the current command lacks an output file. */
export const DEFAULT_PLACE: Place = { output: 'FILE', dataDir: DEFAULT_DATA_DIR };

/** Returns the command that continues a run in the same data directory. */
export const followCommand = (runId: string, { output, dataDir }: Place): string =>
  `scriptorium follow ${runId} -o ${quoted(output)}${dataDirArgument(dataDir)}`;

/** Returns the command that exports a book again from the same data directory. */
export const exportCommand = (bookId: string, { output, dataDir }: Place): string =>
  `scriptorium book export ${bookId} -o ${quoted(output)}${dataDirArgument(dataDir)}`;

/** Returns the option for the data directory after a space; empty for the default directory. */
export const dataDirArgument = (dataDir: string): string =>
  dataDir === DEFAULT_DATA_DIR ? '' : ` --data-dir ${quoted(dataDir)}`;

/** Quotes text as one word of a shell. */
const quoted = (text: string) => (/^[\w./~:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
