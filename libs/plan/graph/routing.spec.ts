import { END } from '#kit/graph/routing.js';
import { PLAN_NODES, planFacts } from '../facts.js';
import { routingTable } from './definition.js';
import type { PlanState } from './state.js';

const targetsOf = (node: string) => routingTable.filter(({ from }) => from === node).map(({ to }) => to);

describe('the routes of a plan', () => {
  it('lead from the preparation to every node, and to the end', () => {
    const reached = new Set<string>(['prepare']);
    for (const node of reached) for (const target of targetsOf(node)) reached.add(target);
    expect([...reached].sort()).toEqual([...planFacts.nodes, END].sort());
  });

  it.each(PLAN_NODES)('leave %s in any state: the condition of its last row always holds', (node) => {
    const last = routingTable.findLast(({ from }) => from === node)!;
    expect(last.holds({} as PlanState)).toBe(true);
  });
});
