import { useQuery } from '@tanstack/react-query';
import { inputsOf } from '../../api/documents';
import { historyOf, stepQuery, type Run } from '../../api/runs';
import { PageLoader } from '../../ui/frames';
import { initialArticle } from './initial-article';
import NewArticle from './new-article';

/**
 * Shows the form of an article with what a run was given. A run that ended before its first step has only its title,
 * which the form derives from the topic.
 */
export default function ArticleAgain({ run }: { run: Run }) {
  const history = useQuery(historyOf(run.id));
  const newest = history.data?.items[0];
  const step = useQuery({ ...stepQuery(run.id, newest?.checkpoint_id ?? ''), enabled: newest !== undefined });
  const files = useQuery(inputsOf(run.session_id));
  if (history.isLoading || step.isLoading || files.isLoading) return <PageLoader />;
  const values = [...(step.data?.input ?? []), ...(step.data?.output ?? [])];
  const inputs = values.find(({ key }) => key === 'inputs')?.json;
  return <NewArticle initial={initialArticle(run, inputs, files.data?.items ?? [])} />;
}
