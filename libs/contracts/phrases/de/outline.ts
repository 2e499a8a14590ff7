/** German texts of `en/outline.ts`. */
export const outline = {
  'outline.added': 'Hinzugefügt: „{title}“ {place}.',
  'outline.and': '{first} und {rest}',
  'outline.edited': 'Der Plan von Kapitel {number}, „{title}“, ist geändert.',
  'outline.fewer_chapters':
    'Das Buch soll {wanted} Kapitel haben, aber die Abschnitte der Quellen reichen nur für {count}. Fügen Sie Quellen hinzu und erstellen Sie die Gliederung neu, oder fügen Sie selbst Kapitel hinzu.',
  'outline.follows_itself': '„move“: Kapitel {number} steht schon an dieser Stelle.',
  'outline.merged': 'Zusammengefasst: {titles}.',
  'outline.moved': 'Verschoben: Kapitel {number}, „{title}“, {place}.',
  'outline.named_twice': '„{operation}“ nennt ein Kapitel zweimal.',
  'outline.no_chapter': '„{operation}“: Die Gliederung hat kein Kapitel {number}.',
  'outline.not_understood': '„{request}“ wurde nicht verstanden.',
  'outline.one_section':
    'Kapitel {number} lässt sich nicht teilen: Sein Plan hat weniger als zwei Abschnitte. Ergänzen Sie Abschnitte, oder fügen Sie ein Kapitel hinzu.',
  'outline.only_chapter': 'Das einzige Kapitel kann nicht entfernt werden.',
  'outline.place.after': 'nach Kapitel {number}',
  'outline.place.first': 'als erstes Kapitel',
  'outline.quoted': '„{title}“',
  'outline.removed': 'Entfernt: Kapitel {number}, „{title}“.',
  'outline.renamed': 'Umbenannt: Kapitel {number}, „{old}“, in „{title}“.',
  'outline.split': 'Kapitel {number} ist in „{title}“ und „{other}“ geteilt.',
  'outline.with_reason': '{change} ({reason})',
} as const;
