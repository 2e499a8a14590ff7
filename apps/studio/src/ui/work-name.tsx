import { useTranslation } from 'react-i18next';
import type { Run } from '../api/runs';
import { RouteAnchor } from './route-links';
import { useRunWords } from './run-words';

/** Returns the name of a run for people, such as "Article: The tower". */
export function useRunName(): (run: Pick<Run, 'kind' | 'title'>) => string {
  const { t } = useTranslation();
  const words = useRunWords();
  return ({ kind, title }) =>
    title === null ? words.kind(kind) : t('run.titleOf', { kind: words.kind(kind), name: title });
}

interface WorkLinkProps {
  run: Pick<Run, 'id' | 'session_id' | 'kind'>;
  text: string;
}

/** Links to what a run makes: the page of the document, article or plan, else that of the run. */
export function WorkLink({ run, text }: WorkLinkProps) {
  if (run.kind === 'document')
    return (
      <RouteAnchor to="/documents/$sessionId" params={{ sessionId: run.session_id }}>
        {text}
      </RouteAnchor>
    );
  if (run.kind === 'article' || run.kind === 'plan')
    return (
      <RouteAnchor to={`/${run.kind}s/$runId`} params={{ runId: run.id }}>
        {text}
      </RouteAnchor>
    );
  return (
    <RouteAnchor to="/runs/$runId" params={{ runId: run.id }}>
      {text}
    </RouteAnchor>
  );
}
