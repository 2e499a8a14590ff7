const NOT_LOADED = /needs the npm package \S+, which cannot be loaded on /;

/** A package with native code cannot be loaded. The message says which feature needs it and what to do. */
export class NativePackageError extends Error {
  override readonly name = 'NativePackageError';

  /** @param feature feature that needs the package, as the subject of a sentence */
  constructor(feature: string, name: string, cause: unknown) {
    super(
      `${feature} needs the npm package ${name}, which cannot be loaded on ${process.platform}-${process.arch}. ` +
        'Run "npm install --include=optional" in the folder of Scriptorium, on this kind of machine, with npm 10 or later.',
      { cause },
    );
  }
}

/**
 * Returns whether an error is a `NativePackageError`. Checks the message because errors lose their class
 * between threads.
 */
export function isNativePackageError(error: unknown): error is Error {
  return error instanceof Error && NOT_LOADED.test(error.message);
}
