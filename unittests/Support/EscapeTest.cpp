//===- EscapeTest.cpp - Text of a user in places that read it ---*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ds/Support/Escape.h"

#include "gtest/gtest.h"

using namespace ds;

TEST(Escape, what_steers_a_terminal_is_a_question_mark) {
  EXPECT_EQ(printable("a\x1b]0;title\x07\tb\x7f"), "a?]0;title??b?");
  EXPECT_EQ(printable("two\nlines\r"), "two\nlines?");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xc2\x85"),
            "?31m?"); // controls of Latin 1
  EXPECT_EQ(printable("\x9b\xff"
                      "31m\xc2"),
            "??31m?"); // no UTF-8
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "txt\xe2\x81\xa6\xe2\x80\xa8"),
            "?txt??");
  EXPECT_EQ(printable("Gewicht \xc3\xbc, \xe9\x87\x8d, \xf0\x9f\x8c\xb1"),
            "Gewicht \xc3\xbc, \xe9\x87\x8d, \xf0\x9f\x8c\xb1");
  EXPECT_EQ(oneLine("two\nlines\x1b"), "two lines?");
}

TEST(Escape, a_comment_does_not_end_within_its_text) {
  EXPECT_EQ(inComment("a*/ int x; /*"), "a* / int x; / *");
  EXPECT_EQ(inComment("*/*/"), "* / * /");
  EXPECT_EQ(inComment("*\n/"), "* /");
  EXPECT_EQ(inComment("layer.weight"), "layer.weight");
}

TEST(Escape, a_string_of_c_holds_every_byte) {
  EXPECT_EQ(quotedForC("a\"\\?\n\xff"), "\"a\\042\\134\\077\\012\\377\"");
}

TEST(Escape, a_word_of_a_shell_is_one_word) {
  EXPECT_EQ(shellWord("layer.0/w=1"), "layer.0/w=1");
  EXPECT_EQ(shellWord("a b; $(c) `d`"), "'a b; $(c) `d`'");
  EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(shellWord(""), "''");
}
