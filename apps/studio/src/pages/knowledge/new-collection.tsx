import { Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { createCollection, type Collection } from '../../api/knowledge';
import { ProblemAlert } from '../../ui/problem-alert';
import { Form } from '../../ui/form';

const PURPOSES = ['knowledge', 'style'] as const;

/** Creates a collection and opens it, so that sources can be added. */
export default function NewCollection() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [purpose, setPurpose] = useState<Collection['purpose']>('knowledge');
  const making = useMutation({
    mutationFn: () => {
      const described = description.trim() === '' ? {} : { description: description.trim() };
      return createCollection({ name: name.trim(), purpose, ...described });
    },
    onSuccess: ({ id }) => navigate({ to: `/knowledge/${id}` }),
  });
  return (
    <Form onSubmit={() => making.mutate()}>
      <Stack>
        <TextInput
          label={t('knowledge.name')}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={t('knowledge.description')}
          maxLength={1_000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Select
          label={t('knowledge.purpose')}
          data={PURPOSES.map((value) => ({ value, label: t(`purpose.${value}`) }))}
          value={purpose}
          allowDeselect={false}
          onChange={(value) => value && setPurpose(value as Collection['purpose'])}
        />
        {making.error && <ProblemAlert error={making.error} />}
        <Button type="submit" disabled={name.trim() === ''} loading={making.isPending}>
          {t('knowledge.make')}
        </Button>
      </Stack>
    </Form>
  );
}
