import { Alert } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/i18n';
import { topicQuery } from '../../api/articles';
import { Moment } from '../../ui/moment';

/** Minimum length of a topic, because shorter ones resemble everything. */
const MIN_CHARS = 4;

/** Warns while the user types if an article on a similar topic was approved before (A5). */
export function TopicCheck({ topic, keywords }: { topic: string; keywords: string[] }) {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(topic.trim(), 400);
  const { data } = useQuery({ ...topicQuery(asked, keywords), enabled: asked.length >= MIN_CHARS });
  if (!data?.article) return null;
  return (
    <Alert color="yellow" role="status" title={t('topicCheck.title')}>
      {data.article.topic} · <Moment at={data.article.date} />
    </Alert>
  );
}
