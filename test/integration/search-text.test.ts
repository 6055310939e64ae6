import fc from 'fast-check';

import { createDatabase, TestDatabase } from '../support/databases.js';

/**
 * Letters of scripts with and without capitals, and characters that may stand between, before or after them.
 */
const CASED = ranges(
  'az',
  'ß',
  'àþ',
  'āž',
  'ƀɏ',
  'ḁỹ',
  'αω',
  'ἀῼ',
  'ая',
  'ѐџ',
  'աև',
  'აჺ',
  'ꭰꮿ',
  '𐐨𐑏',
  'ﬀﬆ',
  'ａｚ',
);
const OTHERS = ranges('את', 'بي', 'अह', 'กฮ', 'あん', 'アン', '一万', '가나', '09', '٠٩', '🌀🙿', '①⑳', '½¾');
const VISIBLE = [...'.,;:!?\'"-_/\\|@#$%^&*()[]{}<>+=~`¡¿«»“”‘’ʼ…–—•·™®©°€£¥→←×÷≠∞★☆♥✓🪔👍🏽❤️。、「」・'];
const UNSEEN = [
  '\u00ad',
  '\ufeff',
  '\u200b',
  '\u200d',
  '\u2060',
  '\u0301',
  '\u0327',
  '\u064e',
  '\u05b8',
  '\u0640',
  '\ufe0f',
  '\u0007',
];

function ranges(...pairs: string[]): string[] {
  return pairs.flatMap((pair) => {
    const [first = 0, last = first] = [...pair].map((character) => character.codePointAt(0));
    const all = Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i));
    // The capital of ƛ is new in Unicode 16, so older versions of ICU do not know it. U+0640 (tatweel) is a letter to
    // Unicode, but only stretches the letter before it: a word of it alone has nothing to find.
    return all.filter((character) => /^(?![ƛ\u0640])[\p{L}\p{N}\p{So}]$/u.test(character));
  });
}

const word = (letters: readonly string[]): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 8 });
const between = fc.string({ unit: fc.constantFrom(' ', ...VISIBLE, ...UNSEEN), maxLength: 4 });
describe('search_text()', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const spelled = async (...texts: string[]): Promise<string[]> => {
    const text =
      'select search_text(t) as "spelled" from unnest($1::text[]) with ordinality as of (t, n) order by n';
    return (await database.query<{ spelled: string }>(text, [texts])).map((row) => row.spelled);
  };

  it.each([
    ['ΚΑΣΕΤΙΝΑ κας', 'κασετινα κασ'],
    ['Straße STRASSE ẞ', 'strasse strasse ss'],
    ['Łódź Øre Đà ðæ Œuvre Þór', 'lodz ore da dae oeuvre thor'],
    ['ıstanbul İSTANBUL Ħal ŋ', 'istanbul istanbul hal n'],
    ['حَاسُوب مـحـمـد', 'حاسوب محمد'],
    ['שָׁלוֹם', 'שלום'],
    ['La\u00admp\ufeff s\u200bhade', 'lamp shade'],
    ['Ἀχιλλεύς τῷ', 'αχιλλευσ τωι'],
    ['ﬁle Ａｂ ①', 'file ab 1'],
    ['हिन्दी', 'हिन्दी'],
    ['desk-lamp "a b" -x', 'desk-lamp "a b" -x'],
    ["l'eau l’eau lʼeau l`eau", 'l eau l eau l eau l eau'],
  ])('normalizes %s to %s', async (text, expected) => {
    expect(await spelled(text)).toEqual([expected]);
  });

  it('leaves normalized text unchanged', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(...CASED, ...OTHERS, ...VISIBLE, ...UNSEEN), maxLength: 30 }),
    );
    const texts = fc.sample(text, 3_000).map((one) => one.replaceAll('\0', '').toWellFormed());
    const once = await spelled(...texts);
    expect(await spelled(...once)).toEqual(once);
  });

  it('treats capitals like small letters, in every script that has both', async () => {
    const letters = CASED.filter((letter) => letter.toUpperCase() !== letter.toLowerCase());
    expect(letters.length).toBeGreaterThan(900);
    const words = [...letters, ...fc.sample(word(letters), 2_000)];
    const small = await spelled(...words.map((one) => one.toLowerCase()));
    expect(await spelled(...words.map((one) => one.toUpperCase()))).toEqual(small);
    expect(await spelled(...words)).toEqual(small);
    expect(small.filter((one) => one === '')).toEqual([]);
  });

  it('finds every word of a name, with any visible or invisible text around it', async () => {
    const name = fc.tuple(
      between,
      fc.array(fc.tuple(word([...CASED, ...OTHERS]), between), { minLength: 1, maxLength: 4 }),
    );
    const samples = fc.sample(name, 2_000).map(([before, parts]) => {
      const words = parts.map(([own]) => own);
      return { name: before + parts.map(([own, behind]) => `${own} ${behind} `).join(''), words };
    });
    const text = `
      select names.value as "name", words.value as "word"
      from jsonb_array_elements($1::jsonb) as sample (value), jsonb_array_elements_text(sample.value->'words') as words (value),
        lateral (select sample.value->>'name') as names (value),
        lateral (select websearch_to_tsquery('simple', search_text(words.value)) as query,
          to_tsvector('simple', translate(search_text(names.value), '-"', '  ')) as vector) as compared
      where search_text(words.value) <> 'or' and (numnode(query) = 0 or not vector @@ query)`;
    expect(await database.query(text, [JSON.stringify(samples)])).toEqual([]);
  });

  it('joins the parts of a word that invisible characters separate', async () => {
    const parts = fc.sample(fc.array(word(CASED), { minLength: 2, maxLength: 4 }), 300);
    const parted = parts.map((own, i) => own.join(UNSEEN[i % UNSEEN.length]));
    // A combining mark joins the letter before it, and the two may form one letter that decomposes.
    expect(await spelled(...parted)).toEqual(await spelled(...parts.map((own) => own.join(''))));
  });
});
