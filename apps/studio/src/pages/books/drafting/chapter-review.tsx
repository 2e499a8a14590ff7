import { Badge, Group, List, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '../../../i18n/i18n';
import type { ChapterText } from '../../../api/chapters';
import { formatNumber } from '../../../ui/format';
import { SourceConflicts } from '../../../ui/source-conflicts';
import { citedOf, type Citation } from './citations';

interface ChapterReviewProps {
  review: NonNullable<ChapterText['review']>;
  citations: Citation[];
}

/** Shows the review of a chapter: score, open questions, and contradictions between its sources. */
export function ChapterReview({ review, citations }: ChapterReviewProps) {
  const { t } = useTranslation();
  const active = review.findings.filter(({ overruled }) => !overruled);
  const sources = new Map(citations.map((citation) => [citation.label, citedOf(citation)]));
  return (
    <Stack gap="sm">
      <Group gap="md">
        <Badge size="lg" variant="dot" color={review.score >= 80 ? 'green' : 'orange'}>
          {t('drafting.score', { score: review.score })}
        </Badge>
        <Text size="sm">
          {review.minimum_words === 0
            ? t('drafting.length', { count: review.words, words: formatNumber(review.words) })
            : t('drafting.words', {
                words: formatNumber(review.words),
                minimum: formatNumber(review.minimum_words),
              })}
        </Text>
        <Text size="sm">{t('drafting.cited', { share: Math.round(review.citation_coverage * 100) })}</Text>
        <Text size="sm">{t('statusCard.revisions', { count: review.revision })}</Text>
        {review.guardrails.map((guardrail) => (
          <Badge key={guardrail} variant="dot" color="red">
            {t(`guardrail.${guardrail}`)}
          </Badge>
        ))}
        <Text size="sm">{t('drafting.findings', { count: active.length })}</Text>
      </Group>
      <Open title={t('drafting.openQuestions')} items={review.open_questions} />
      <Open title={t('drafting.gaps')} items={review.gaps} />
      <Open title={t('drafting.newFacts')} items={review.new_facts} />
      <SourceConflicts conflicts={review.conflicts} sources={sources} />
    </Stack>
  );
}

function Open({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <List size="sm">
        {items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
    </section>
  );
}
