import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { historyOf, restore, type HistoryEntry, type Run } from '../../api/runs';
import { retryingImport } from '../../api/retrying-import';
import { useMay } from '../../api/session';
import { WriteDocument } from '../documents/write-document';
import { NewItem } from '../../ui/new-item';
import { ActionButton } from '../../ui/actions';
import { addressOfRun } from '../../ui/work-name';

const ArticleAgain = lazy(retryingImport(() => import('../articles/article-again')));

/** Offers what can be done about a run that ended without a result: continue, start again, or edit and start again. */
export function TryAgain({ run }: { run: Run }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const history = useQuery(historyOf(run.id)).data?.items;
  const last = resumeFrom(history ?? []);
  // The page of a document does not show the run of a review.
  const show = (started: Run) =>
    navigate({ to: started.kind === 'review' ? `/runs/${started.id}` : addressOfRun(started) });
  if (!useMay('write')) return null;
  return (
    <Group gap="sm">
      {run.kind === 'document' && (
        <WriteDocument
          sessionId={run.session_id}
          label={t('tryAgain.fromStart')}
          onStarted={(started) => void show(started)}
        />
      )}
      {last && (
        <ActionButton
          variant="default"
          label={t('tryAgain.resume')}
          act={async () => show(await restore(run.session_id, run.id, last.checkpoint_id))}
        />
      )}
      <EditAndStart run={run} />
    </Group>
  );
}

/**
 * Returns the checkpoint from which a run can do more than end again: the newest, or the newest question if the run has
 * reached its end, such as a rejected plan.
 */
function resumeFrom(history: readonly HistoryEntry[]): HistoryEntry | undefined {
  const [newest] = history;
  return newest?.next.length === 0 ? history.find(({ decisions }) => decisions.length > 0) : newest;
}

/** Opens the form of an article with what a run was given, or the steps of a plan to edit. */
function EditAndStart({ run }: { run: Run }) {
  const { t } = useTranslation();
  if (run.kind === 'plan')
    return (
      <Button variant="default" component={Link} to={`/plans/new?from=${run.id}`}>
        {t('tryAgain.edit')}
      </Button>
    );
  // New versions of an article start on its page.
  if (run.kind !== 'article' || run.mode === 'repurpose' || run.mode === 'export') return null;
  return (
    <NewItem label={t('tryAgain.edit')} variant="default">
      <ArticleAgain run={run} />
    </NewItem>
  );
}
