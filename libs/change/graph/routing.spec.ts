import { END } from '@langchain/langgraph';
import { buildChangeGraph } from './definition.js';
import { type ChangePorts, failed, type ChangeState } from './state.js';
import { type ChangeNode, changeNodes, routingTable } from './routing.js';
import { NO_RECOVERY } from '#kit/graph/model-recovery.js';
import { nextByTable } from '#kit/graph/routing.js';

const nextNode = (from: ChangeNode, state: ChangeState) => nextByTable(routingTable, from, state);

const stateOf = (changes: Partial<ChangeState> = {}): ChangeState =>
  ({
    status: 'running',
    budget_shortfall: null,
    model_recovery: NO_RECOVERY,
    candidate: null,
    ...changes,
  }) as ChangeState;
const shortfall = { scope: 'run', unit: 'tokens', spent: 1, reserved: 0, needed: 2, limit: 2 } as const;
const over = stateOf(failed('no_model', 'None.') as Partial<ChangeState>);

describe('the graph of changes', () => {
  it('B9 compiles; a run saves a proposal and ends', () => {
    expect(() => buildChangeGraph({} as ChangePorts).compile()).not.toThrow();
    expect(nextNode('propose_change', stateOf())).toBe('save_proposal');
    expect(nextNode('save_proposal', stateOf({ status: 'completed' }))).toBe(END);
    expect(nextNode('propose_change', over)).toBe(END);
  });

  it('X1 validates the changed manuscript of a document that was validated before', () => {
    const candidate = { manuscript_key: 'm', validation: {} } as ChangeState['candidate'];
    expect(nextNode('propose_change', stateOf({ candidate }))).toBe('validate_change');
    expect(nextNode('propose_change', stateOf({ candidate: { ...candidate!, validation: null } }))).toBe(
      'save_proposal',
    );
    expect(nextNode('validate_change', stateOf())).toBe('save_proposal');
    expect(nextNode('validate_change', over)).toBe(END);
  });

  it('X7 asks about an exceeded budget, and then goes back or ends', () => {
    expect(nextNode('propose_change', stateOf({ budget_shortfall: shortfall }))).toBe('budget_decision');
    expect(nextNode('budget_decision', stateOf())).toBe('propose_change');
    expect(nextNode('budget_decision', over)).toBe(END);
  });

  it('X13 asks about a failed model, and then goes back or ends', () => {
    const failure = { code: 'model_unavailable', message: 'Down.', operation: 'propose_change', model: 'm' };
    const state = stateOf({ model_recovery: { ...NO_RECOVERY, failure } });
    expect(nextNode('propose_change', state)).toBe('model_decision');
    expect(nextNode('model_decision', stateOf())).toBe('propose_change');
    expect(nextNode('model_decision', over)).toBe(END);
    for (const node of changeNodes) expect(nextNode(node, stateOf())).toBeDefined();
  });
});
