import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { manuscriptOf } from '../../api/documents';
import { isBlockingError } from '../../api/query-client';
import { ChangeableText } from '../../ui/changeable-text';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { TextViews } from '../../ui/reading/text-views';

/** Shows the manuscript, rendered or as Markdown. */
export default function Manuscript({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(manuscriptOf(sessionId));
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <PageLoader />;
  if (data === null) return <Text c="dimmed">{t('document.noManuscript')}</Text>;
  return (
    <ChangeableText
      text={{ session_id: sessionId, of: 'document' }}
      label={t('document.manuscript')}
      content={data}
    >
      <TextViews label={t('document.manuscript')} markdown={data} sessionId={sessionId} />
    </ChangeableText>
  );
}
