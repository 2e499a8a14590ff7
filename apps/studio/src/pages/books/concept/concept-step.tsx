import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/i18n';
import { saveConcept, type Book } from '../../../api/books';
import { useMay } from '../../../api/session';
import { ProblemAlert } from '../../../ui/problem-alert';
import { BookSources } from './book-sources';
import { ProfileChat } from './profile-chat';
import { ProfileForm } from './profile-form';
import { filled, useConcept, type Concept } from './use-concept';

/** Edits the book's concept, by form or by conversation, and its sources (B1). */
export function ConceptStep({ book }: { book: Book | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayWrite = useMay('write');
  const concept = useConcept(book);
  const goingOn = useMutation({
    mutationFn: async () => {
      const id = await concept.ensureBook();
      await saveConcept(id, filled(concept.draft.profile));
      return id;
    },
    onSuccess: (id) => navigate({ to: `/books/${id}/outline` }),
  });
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <fieldset className="plain-fieldset" disabled={!mayWrite}>
          <ProfileForm profile={concept.draft.profile} onChange={concept.change} />
        </fieldset>
        <ProfileChat concept={concept} />
      </SimpleGrid>
      <BookSources projectId={book?.id ?? null} ensureBook={concept.ensureBook} />
      {concept.saving.error && <ProblemAlert error={concept.saving.error} />}
      {goingOn.error && <ProblemAlert error={goingOn.error} />}
      <Group justify="space-between">
        <SaveState book={book} concept={concept} />
        {mayWrite && (
          <Button
            onClick={() => goingOn.mutate()}
            loading={goingOn.isPending}
            disabled={!concept.draft.profile.title?.trim()}
          >
            {t('concept.next')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Shows where the concept is saved: only in this browser, or also on the server. */
function SaveState({ book, concept: { draft, saving } }: { book: Book | null; concept: Concept }) {
  const { t } = useTranslation();
  const state = saving.error ? 'notSaved' : book === null ? 'inBrowser' : draft.isDirty ? 'saving' : 'saved';
  return (
    <Text size="sm" c="dimmed" role="status">
      {t(`concept.${state}`)}
    </Text>
  );
}
