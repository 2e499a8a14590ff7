import { Badge, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import type { Hit } from '../../api/knowledge';
import { RouteAnchor } from '../../ui/route-links';
import { formatMeasure } from '../../ui/format';

const LISTS = ['bm25', 'trigrams', 'vectors'] as const;

/** Shows a found passage: its location, its text, and its rank in each result list. */
export function HitCard({ hit, rank }: { hit: Hit; rank: number }) {
  const { t } = useTranslation();
  const { parts } = hit;
  return (
    <Paper withBorder p="md" component="article" aria-label={t('search.rank', { rank })}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {rank}.{' '}
            <RouteAnchor
              to="/knowledge/$collectionId/sources/$sourceId"
              params={{ collectionId: hit.collection_id, sourceId: hit.source_id }}
              search={{ from: hit.start, to: hit.end }}
            >
              {hit.source_title ?? hit.source_name}
            </RouteAnchor>
            {hit.heading_path.length > 0 && ` › ${hit.heading_path.join(' › ')}`}
          </Text>
          <Badge variant="default">{t('search.score', { score: formatMeasure(hit.score, 3) })}</Badge>
        </Group>
        <div className="verbatim passage">{hit.text}</div>
        <Progress value={parts.relevance * 100} size="sm" aria-label={t('search.relevance')} />
        <Group gap="md">
          <Text size="xs">
            {t('search.formula', {
              relevance: formatMeasure(parts.relevance, 3),
              weight: parts.weight,
              score: formatMeasure(hit.score, 3),
            })}
          </Text>
          {LISTS.map((list) => {
            const place = parts[list];
            return (
              <Text key={list} size="xs" c="dimmed">
                {place
                  ? t('search.placed', {
                      list: t(`search.${list}`),
                      rank: place.rank,
                      score: formatMeasure(place.score, 2),
                    })
                  : t('search.notIn', { list: t(`search.${list}`) })}
              </Text>
            );
          })}
        </Group>
        {hit.matched_terms.length > 0 && (
          <Group gap={4}>
            <Text size="xs">{t('search.matched')}</Text>
            {hit.matched_terms.map((term) => (
              <Badge key={term} size="sm" variant="default">
                {term}
              </Badge>
            ))}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
