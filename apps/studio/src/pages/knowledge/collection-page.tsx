import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { collectionQuery, deleteCollection, sourcesOf } from '../../api/knowledge';
import { isBlockingError } from '../../api/query-client';
import { removeLater } from '../../api/removals';
import { useMay } from '../../api/session';
import { useCollectionName } from '../../ui/collection-name';
import { PageHeader } from '../../ui/page-header';
import { PageLoader } from '../../ui/page-loader';
import { ProblemAlert } from '../../ui/problem-alert';
import { AddFiles } from './add-files';
import { SearchPanel } from './search-panel';
import { SourceList } from './source-list';

/** Shows one collection: its sources, and a search. */
export function CollectionPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const nameOf = useCollectionName();
  const mayWrite = useMay('write');
  const { collectionId } = useParams({ from: '/shell/knowledge/$collectionId' });
  const { data, error, refetch } = useQuery(collectionQuery(collectionId));
  const sources = useQuery(sourcesOf(collectionId));
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageLoader />;
  const remove = () => {
    removeLater({ id: collectionId, name: nameOf(data), remove: () => deleteCollection(collectionId) });
    void navigate({ to: '/knowledge' });
  };
  return (
    <>
      <PageHeader title={nameOf(data)}>
        {mayWrite && data.project === null && (
          <Button size="xs" variant="default" onClick={remove}>
            {t('knowledge.delete')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="xl">
        {data.description && <Text>{data.description}</Text>}
        <SearchPanel collectionId={collectionId} />
        <Stack gap="sm" component="section">
          <Title order={2} size="h4">
            {t('knowledge.sources')}
          </Title>
          {mayWrite && <AddFiles label={t('knowledge.add')} collection={() => collectionId} />}
          {sources.error && <ProblemAlert error={sources.error} onRetry={() => void sources.refetch()} />}
          {sources.data && <SourceList collectionId={collectionId} sources={sources.data.items} />}
        </Stack>
      </Stack>
    </>
  );
}
