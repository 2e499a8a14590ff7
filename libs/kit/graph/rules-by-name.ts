/** Rules of a graph, by name. */
export type RulesByName = Record<string, (...args: never[]) => unknown>;

/** A call of a rule. */
export interface RulesWork {
  rule: string;
  args: unknown[];
}

/** Returns the function of a worker module that calls rules in a thread: the time that they take depends on texts and sources. */
export const rulesInThread =
  (rules: RulesByName) =>
  ({ rule, args }: RulesWork): unknown =>
    rules[rule]!(...(args as never[]));
