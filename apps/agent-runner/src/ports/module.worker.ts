/** A module with a default export, and what that is called with. */
export interface ModuleCall {
  module: string;
  input: unknown;
}

/** Runs in a thread: calls the default export of a module of this system. */
export default async function call({ module, input }: ModuleCall): Promise<unknown> {
  const { default: run } = (await import(module)) as { default: (input: unknown) => unknown };
  return run(input);
}
