import { SourceFacts } from '../../ui/cited-source';
import { NewItem } from '../../ui/new-item';
import { useMemo } from 'react';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { collectionQuery, sourcesOf, sourceText } from '../../api/knowledge';
import { useCollectionName } from '../../ui/collection-name';
import { PageHeader, useReady } from '../../ui/frames';
import { SourceLines } from '../../ui/reading/source-lines';
import { lazyPart } from '../../ui/lazy-part';

/** Shows the extracted text of a source; marks and scrolls to the linked passage. */
export default function SourcePage() {
  const { t } = useTranslation();
  const nameOf = useCollectionName();
  const { collectionId, sourceId } = useParams({ from: '/shell/knowledge/$collectionId/sources/$sourceId' });
  const { from = 0, to = 0 } = useSearch({ from: '/shell/knowledge/$collectionId/sources/$sourceId' });
  const [text, instead] = useReady(sourceText(collectionId, sourceId));
  const source = useQuery(sourcesOf(collectionId)).data?.items.find(({ id }) => id === sourceId);
  const collection = useQuery(collectionQuery(collectionId)).data;
  const marked = useMemo(() => (text && to > from ? linesOf(text, from, to) : null), [text, from, to]);
  if (instead) return instead;
  return (
    <>
      <PageHeader title={source?.title ?? source?.name ?? t('knowledge.source')}>
        <Anchor component={Link} to={`/knowledge/${collectionId}`}>
          {collection ? nameOf(collection) : t('knowledge.title')}
        </Anchor>
      </PageHeader>
      {source && (source.author ?? source.date ?? source.url) && (
        <Text size="sm" mb="sm">
          <SourceFacts source={source} />
        </Text>
      )}
      {source && (
        <NewItem label={t('reference.edit')} variant="default" size="xs" mb="sm">
          <ReferenceForm source={source} />
        </NewItem>
      )}
      {marked && (
        <Text size="sm" mb="sm" role="status">
          {t('knowledge.passageAt', { first: marked.first + 1, last: marked.last + 1 })}
        </Text>
      )}
      <SourceLines label={t('knowledge.text')} text={text} marked={marked} />
    </>
  );
}

const ReferenceForm = lazyPart(() => import('./reference-form'));

/** Returns the 0-based lines that contain characters `from` to `to` of a text. */
function linesOf(text: string, from: number, to: number): { first: number; last: number } {
  const lineAt = (place: number) => text.slice(0, place).split('\n').length - 1;
  return { first: lineAt(from), last: lineAt(Math.max(from, to - 1)) };
}
