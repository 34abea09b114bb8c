package org.junit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** JUnit's annotation, for machines on which there is no JUnit. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test { }
