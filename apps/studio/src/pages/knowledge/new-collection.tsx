import { Select, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { change } from '../../api/api-query';
import type { Collection } from '../../api/knowledge';
import { textProps, SendForm } from '../../ui/actions';

const PURPOSES = ['knowledge', 'style'] as const;

/** Creates a collection and opens it, so that sources can be added. */
export default function NewCollection() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [purpose, setPurpose] = useState<Collection['purpose']>('knowledge');
  const make = async () => {
    const described = description.trim() === '' ? {} : { description: description.trim() };
    const body = { name: name.trim(), purpose, ...described };
    const { id } = await change('POST /api/knowledge/collections', { body }, ['knowledge']);
    await navigate({ to: `/knowledge/${id}` });
  };
  return (
    <SendForm label={t('knowledge.make')} isDisabled={name.trim() === ''} send={make}>
      <TextInput label={t('knowledge.name')} required maxLength={200} {...textProps(name, setName)} />
      <Textarea
        label={t('knowledge.description')}
        maxLength={1_000}
        {...textProps(description, setDescription)}
      />
      <Select
        label={t('knowledge.purpose')}
        data={PURPOSES.map((value) => ({ value, label: t(`purpose.${value}`) }))}
        value={purpose}
        onChange={(value) => value && setPurpose(value as Collection['purpose'])}
      />
    </SendForm>
  );
}
