import { filesOf, isRecord, type AnswerValue } from '../ui/json-schema';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiQuery, change, fetched, type Schemas } from './api-query';
import { queryClient } from './query-client';

export type { AnswerValue } from '../ui/json-schema';
export type Decision = Schemas['Decision'];

/** Query for the open decisions, newest first; refetched every few seconds, because any run may ask. */
export const openDecisionsQuery = apiQuery(
  ['decisions', 'open'],
  '/api/decisions',
  { status: 'open', limit: 100 },
  { refetchInterval: 5_000 },
);

/** Query for whether the browser shows notifications. It reports no change: `askToNotify` changes the data. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => globalThis.Notification?.permission ?? 'denied',
  staleTime: Infinity,
});

/** Asks the user to allow notifications. */
export const askToNotify = async () =>
  queryClient.setQueryData(notificationsQuery.queryKey, await Notification.requestPermission());

/** Query for the newest decisions, including answered ones. */
export const allDecisionsQuery = apiQuery(['decisions', 'all'], '/api/decisions', {
  status: 'all',
  limit: 100,
});

/** Query for the decisions of one run, including answered ones. */
export const decisionsOfRun = (runId: string) =>
  apiQuery(['decisions', 'run', runId], '/api/decisions', { status: 'all', run_id: runId, limit: 100 });

/** Returns the open decisions of a run; undefined until they are loaded. */
export const useOpenDecisions = (runId: string, enabled = true): Decision[] | undefined =>
  useQuery({ ...decisionsOfRun(runId), enabled }).data?.items.filter(({ status }) => status === 'open');

export const decisionQuery = (id: string) =>
  apiQuery(['decisions', 'one', id], '/api/decisions/{decision_id}', { decision_id: id });

/** Says that a finding in a question is wrong or, with null, that it counts again. @throws ApiProblem */
export const changeFinding = (
  decision_id: string,
  finding_id: string,
  overruled: Schemas['FindingChanges']['overruled'],
) =>
  change(
    'PATCH /api/decisions/{decision_id}/findings/{finding_id}',
    { decision_id, finding_id, body: { overruled } },
    ['decisions'],
  );

const answeredHere = new Set<string>();

/** Returns whether this window gave the accepted answer to a decision. */
export const isAnsweredHere = (id: string): boolean => answeredHere.has(id);

/**
 * Answers a decision and refetches what the answer changes: as JSON or, to upload files for missing references, as a form with one part each.
 *
 * @throws ApiProblem `decision_answered` if another answer came first
 */
export async function giveAnswer(id: string, answer: AnswerValue): Promise<void> {
  try {
    const isForm = filesOf(answer).length > 0;
    await fetched(`/api/decisions/${id}/answer`, {
      method: 'POST',
      ...(isForm
        ? { body: formOf(answer) }
        : { body: JSON.stringify(answer), headers: { 'content-type': 'application/json' } }),
    });
    answeredHere.add(id);
  } finally {
    const stale = [['decisions'], ['runs'], ['plans']];
    await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  }
}

function formOf(answer: AnswerValue): FormData {
  const form = new FormData();
  const choices = isRecord(answer) && isRecord(answer['user_decisions']) ? answer['user_decisions'] : {};
  for (const [ref, choice] of Object.entries(choices))
    form.append(ref, choice instanceof File ? choice : String(choice));
  return form;
}
