import { Option } from 'commander';

/** The folder that holds what a stack on this machine keeps. */
export const dataDirOption = () =>
  new Option('--data-dir <folder>', 'folder of the embedded stack: database, files, keys, logs')
    .env('SCRIPTORIUM_DATA_DIR')
    .default('.scriptorium');
