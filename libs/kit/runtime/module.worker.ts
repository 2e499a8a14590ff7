/** Path of a module and the argument for its default export. */
export interface ModuleCall {
  module: string;
  input: unknown;
}

/** Runs in a thread: calls the default export of a module of this system. */
export default async function call({ module, input }: ModuleCall): Promise<unknown> {
  const { default: run } = (await import(module)) as { default: (input: unknown) => unknown };
  return run(input);
}
