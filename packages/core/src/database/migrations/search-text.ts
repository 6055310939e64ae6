// The constants list characters of Unicode 17, in the notation of PostgreSQL's regular expressions.

/**
 * Characters that search ignores: control characters, soft hyphens, joiners, byte order marks, variation selectors, and
 * the marks of scripts that can be written without marks. Vowel signs of Indic scripts and of Thai are not ignored,
 * because they distinguish words.
 */
const UNSEEN =
  '\\u0001-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f\\u00ad\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf' +
  '\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u061c\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4' +
  '\\u06e7\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u0890-\\u089f\\u08ca-\\u08e1\\u08e3-\\u08ff\\u0951-\\u0954' +
  '\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1cd0-\\u1cd2\\u1cd4-\\u1ce8\\u1ced\\u1cf4\\u1cf7-\\u1cf9' +
  '\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u20d0-\\u20ff\\u2de0-\\u2dff\\u302a-\\u302d' +
  '\\u3164\\ua66f-\\ua672\\ua674-\\ua67d\\ua69e\\ua69f\\ufb1e\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff\\uffa0\\ufff0-\\ufffb' +
  '\\U000e0000-\\U000e0fff';

/**
 * Pictographs, which PostgreSQL's parser drops under most locales. Each is replaced by a separate word: a letter of the
 * Yi script, then the code of the pictograph. No other word begins with that letter.
 */
const PICTURES = '\\u2300-\\u23ff\\u2600-\\u27bf\\u2b00-\\u2bff\\U0001f000-\\U0001faff';

/**
 * Characters that separate words, in addition to the punctuation and the spaces that ICU knows: symbols, and those
 * apostrophes and other modifiers that Unicode classifies as letters. `"` and `-` are not replaced, because they are
 * operators of a query.
 */
const SEPARATORS =
  '$+<=>^`|~\\u0080-\\u00bf\\u00d7\\u00f7\\u02b9-\\u02df\\u02e5-\\u02ff\\u0375\\u2010-\\u206f\\u20a0-\\u20cf\\u2190-\\u22ff' +
  '\\u2400-\\u245f\\u2500-\\u25ff\\u27c0-\\u2aff\\u3004\\u3012-\\u3020\\u3036\\u3037\\u303e\\u303f\\ufffc\\ufffd';

/**
 * The first string contains the characters to replace: letters of living languages that Unicode does not decompose, the
 * final sigma, and the two voiced marks of Japanese. The second string contains the replacement of each. The voiced
 * marks distinguish words, but a mark would split its word in two. Letters of the Yi script therefore replace them.
 */
const LETTERS = ['ςøłđðħŋŧɓɗɖƙƴɲɨʉ\u3099\u309a', 'σolddhntbddkyniuꀀꀁ'];

/**
 * The capital letters of Georgian, and the small letters that replace them. Unicode 11 added the capitals, so older
 * versions of ICU do not know them.
 */
const GEORGIAN = [0x1c90, 0x10d0].map((first) =>
  String.fromCodePoint(...Array.from({ length: 48 }, (_, i) => first + i)),
);

/**
 * Creates the function that normalizes text for search, so that different spellings of a word are equal. The text of
 * rows and the text of queries both pass through it. It needs no extension of PostgreSQL. If you change the function,
 * create the columns that it generates again, because they keep their old values.
 */
export const CREATE_SEARCH_TEXT = `
  create function search_text(value text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      folded text := value;
    begin
      if folded !~ '[^\\t-\\r -~]' then
        return btrim(regexp_replace(lower(folded collate "C"), '[^a-z0-9"-]', ' ', 'g'));
      end if;
      -- To capitals and back, because some small letters have two capitals, or several small ones share a capital.
      folded := lower(upper(normalize(translate(folded, '™℠', '  '), nfkd) collate "und-x-icu"));
      folded := regexp_replace(folded, '[${UNSEEN}]+', '', 'g');
      folded := replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      -- translate() compares each character with each letter: texts without any are spared it.
      if folded ~ '[${LETTERS[0]}]' then
        folded := translate(folded, '${LETTERS.join("', '")}');
      end if;
      if folded ~ '[\\u1c90-\\u1cbf]' then
        folded := translate(folded, '${GEORGIAN.join("', '")}');
      end if;
      if folded ~ '[${PICTURES}]' then
        select string_agg(case when c ~ '[${PICTURES}]' then ' ꒐' || to_hex(ascii(c)) || ' ' else c end, '' order by n)
        into folded from regexp_split_to_table(folded, '') with ordinality as characters (c, n);
      end if;
      return btrim(regexp_replace(
        folded collate "und-x-icu", '(?!["-])[[:space:][:punct:]${SEPARATORS}]', ' ', 'g'));
    end $$`;
